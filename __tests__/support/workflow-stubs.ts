import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from './directories.ts';
import { SBOM, makeKey } from './samples.ts';

export type Texts = Readonly<Record<string, string>>;

/** What `npm audit` prints; with other programs any other report does. */
const AUDIT = '{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}';

/** Stands for every program of others: writes an SBOM or a report where its options say. */
const STUB = `#!/bin/bash
echo "$(basename "$0") $*" >> "$STUBS/calls"
case "$(basename "$0") $*" in
  gh*|curl*) exit ;;
  *cyclonedx*) document=$STUBS/sbom ;;
  *) document=$STUBS/report ;;
esac
target=/dev/stdout
while [ $# -gt 0 ]; do
  case $1:$2 in
    --output:*|--file:*) target=\${2#cyclonedx-json=} ;;
    --volume:*:/report) target=\${2%:/report}/dependency-check-report.json ;;
    audit:*) status=1 ;; # npm audit found something
  esac
  shift
done
cat "$document" > "$target"
exit \${status:-0}
`;
const PROGRAMS = ['curl', 'docker', 'gh', 'grype', 'npm', 'npx', 'syft', 'trivy'];

/** How a step ended. */
export interface StepEnd {
  readonly outputs: Texts;
  readonly isFailed: boolean;
}

/** How scanners end that are actions: they fail with or without a report, or succeed without one. */
export type ScannerEnd = 'finds' | 'crashes' | 'skips' | undefined;

/** The programs and actions of others, which only write files. */
export class Stubs {
  /** Stands before PATH. */
  readonly directory: string;
  readonly #scanner: ScannerEnd;
  readonly #artifact = new Map<string, string>();

  private constructor(directory: string, scanner: ScannerEnd) {
    this.directory = directory;
    this.#scanner = scanner;
  }

  static async make(report = AUDIT, scanner?: ScannerEnd): Promise<Stubs> {
    const directory = await makeFolder({ sbom: SBOM, report, calls: '', stub: STUB });
    chmodSync(join(directory, 'stub'), 0o755);
    for (const name of PROGRAMS) symlinkSync('stub', join(directory, name));
    symlinkSync(process.execPath, join(directory, 'node'));
    return new Stubs(directory, scanner);
  }

  /** The command lines of the programs. */
  get calls(): readonly string[] {
    return this.#read('calls').split('\n');
  }

  /** Does what a workflow needs of an action: its files and its outputs. */
  use(uses: string, inputs: Texts, workspace: string): StepEnd {
    const [action = ''] = uses.split('@');
    const name = basename(action);
    const path = (inputs['path'] ?? '').trim();
    if (name === 'checkout') return this.#checkOut(workspace);
    if (name === 'upload-artifact') return this.#keep(path.split(/\s+/), workspace);
    if (name === 'download-artifact') return this.#download(path, inputs, workspace);
    const output = inputs['output'] ?? inputs['output-file'];
    if (output !== undefined) return this.#scan(output, inputs['format'] ?? '', workspace);
    return { outputs: { cmd: name.replace('download-', '') }, isFailed: false };
  }

  #checkOut(workspace: string): StepEnd {
    // A report that is older than the scan.
    if (this.#scanner === 'crashes') write(workspace, 'report.json', this.#read('report'));
    for (const [index, service] of ['billing', 'shop'].entries()) {
      write(workspace, `services/${service}/scan-key`, `${makeKey(index)}\n`);
    }
    return { outputs: {}, isFailed: false };
  }

  #keep(files: readonly string[], workspace: string): StepEnd {
    const present = files.filter((file) => existsSync(resolve(workspace, file)));
    for (const file of present) {
      this.#artifact.set(basename(file), readFileSync(resolve(workspace, file), 'utf8'));
    }
    return { outputs: {}, isFailed: present.length === 0 };
  }

  #download(path: string, inputs: Texts, workspace: string): StepEnd {
    // With `run-id` it is the artifact of another workflow.
    if (inputs['run-id'] !== undefined) this.#artifact.set('report.json', this.#read('report'));
    for (const [file, text] of this.#artifact) write(workspace, join(path, file), text);
    return { outputs: {}, isFailed: this.#artifact.size === 0 };
  }

  /** Writes the file of a scanner; CodeQL names a directory. */
  #scan(output: string, format: string, workspace: string): StepEnd {
    if (this.#scanner === 'crashes' || this.#scanner === 'skips') {
      return { outputs: {}, isFailed: this.#scanner === 'crashes' };
    }
    const text = this.#read(format.startsWith('cyclonedx') ? 'sbom' : 'report');
    const file = output.endsWith('.json') ? output : join(output, 'javascript.sarif');
    write(workspace, file, text);
    return { outputs: { 'sarif-output': output }, isFailed: this.#scanner === 'finds' };
  }

  #read(name: string): string {
    return readFileSync(join(this.directory, name), 'utf8');
  }
}

function write(workspace: string, path: string, text: string): void {
  // An absolute path stands for itself.
  const file = resolve(workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
