/**
 * The runner's parser of workflow commands, after ActionCommand.cs and ActionCommandManager.cs of
 * actions/runner: it finds the same commands as the runner.
 */

/** A command in a line: name in lower case, properties and data unescaped. */
export interface ParsedCommand {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** Names that the runner registers for an action's output, in lower case. */
const REGISTERED_COMMANDS: ReadonlySet<string> = new Set(
  (
    'add-mask add-matcher add-path debug echo endgroup error group notice remove-matcher ' +
    'save-state set-env set-output stop-commands warning'
  ).split(' '),
);

// In the runner's order, `%` last, so that an escaped escape stays one.
const V1_ESCAPES = { '%3B': ';', '%0D': '\r', '%0A': '\n', '%5D': ']', '%25': '%' };
const DATA_ESCAPES = { '%0D': '\r', '%0A': '\n', '%25': '%' };
const PROPERTY_ESCAPES = { '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' };

// Char.IsWhiteSpace of .NET: unlike JavaScript's it has U+0085 and lacks U+FEFF.
const LEADING_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

// .NET's IndexOf(string) compares by culture and ignores characters without weight. Unicode's properties
// replace their exact set; this can only find more separators than a plain `::`.
const SEPARATOR = /:[[\p{Default_Ignorable_Code_Point}\p{Cc}]--[\t\v\f\x85]]*:/gv;

/**
 * Parses `::name key=value,key=value::data` at a line's start after white space, else
 * `##[name key=value;key=value]data` anywhere in it. Undefined unless the name is registered.
 */
export function parseCommand(line: string): ParsedCommand | undefined {
  return [parseV2(line), parseV1(line)].find(
    (parsed) => parsed && REGISTERED_COMMANDS.has(parsed.command),
  );
}

/** What looks like a command of either form whose name is not registered. */
export function findUnknownCommand(line: string): ParsedCommand | undefined {
  const match =
    /^\s*::([a-z][\w-]*)(?: [^:]*)?::(.*)$/is.exec(line) ??
    /##\[([a-z][\w-]*)(?: [^\]]*)?\](.*)$/is.exec(line);
  const [, name = '', data = ''] = match ?? [];
  return match === null ? undefined : { command: 'unknown', properties: { name }, data };
}

function parseV2(line: string): ParsedCommand | undefined {
  const message = line.replace(LEADING_SPACE, '');
  SEPARATOR.lastIndex = '::'.length;
  const separator = message.startsWith('::') ? SEPARATOR.exec(message) : null;
  if (separator === null) return undefined;
  const { command, rest } = splitInfo(message.slice('::'.length, separator.index));
  const properties = readProperties(rest.trim(), ',', PROPERTY_ESCAPES);
  const data = unescape(message.slice(separator.index + '::'.length), DATA_ESCAPES);
  return { command, properties, data };
}

function parseV1(line: string): ParsedCommand | undefined {
  const start = line.indexOf('##[');
  const end = line.indexOf(']', start);
  if (start < 0 || end < 0) return undefined;
  const { command, rest } = splitInfo(line.slice(start + '##['.length, end));
  const properties = readProperties(rest, ';', V1_ESCAPES);
  return { command, properties, data: unescape(line.slice(end + 1), V1_ESCAPES) };
}

function splitInfo(info: string): { readonly command: string; readonly rest: string } {
  const [command = '', ...rest] = info.split(' ');
  return { command: command.toLowerCase(), rest: rest.join(' ') };
}

function readProperties(
  text: string,
  separator: string,
  escapes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const pairs = text.split(separator).flatMap((pair) => {
    // Split(['='], 2, RemoveEmptyEntries): equals signs before name and value vanish.
    const [, name, value] = /^=*([^=]+)=+([^=].*)$/s.exec(pair) ?? [];
    return name === undefined || value === undefined
      ? []
      : [[name, unescape(value, escapes)] as const];
  });
  return Object.fromEntries(pairs);
}

function unescape(text: string, escapes: Readonly<Record<string, string>>): string {
  return Object.entries(escapes).reduce(
    (result, [escape, character]) => result.replaceAll(escape, character),
    text,
  );
}
