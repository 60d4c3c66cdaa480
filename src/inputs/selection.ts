import { InputError } from '../errors.ts';
import { parsePatterns } from '../scan/patterns.ts';

/** Which files the author means; every text is one or more patterns, one per line. */
export type Selection =
  | { readonly kind: 'files'; readonly files: string }
  | { readonly kind: 'single'; readonly scanFile: string }
  | { readonly kind: 'pair'; readonly dependencies: string; readonly vulnerabilities: string };

/** The four inputs that name files, empty where not given. */
interface SelectionInputs {
  readonly files: string;
  readonly scanFile: string;
  readonly dependencies: string;
  readonly vulnerabilities: string;
}

const WAYS = 'files, or scan-file, or dependencies-file with vulnerabilities-file';

/** Exactly one way of naming files. Throws an InputError that lists the ways. */
export function chooseSelection(inputs: SelectionInputs): Selection {
  const pair = inputs.dependencies !== '' || inputs.vulnerabilities !== '';
  const ways = [inputs.files !== '', inputs.scanFile !== '', pair].filter(Boolean).length;
  if (ways === 0) throw new InputError(`No files are named: set ${WAYS}.`);
  if (ways > 1) throw new InputError(`Files are named in ${ways} ways: set only one of ${WAYS}.`);
  if (inputs.files !== '') return { kind: 'files', files: checkPatterns('files', inputs.files) };
  if (inputs.scanFile !== '') {
    return { kind: 'single', scanFile: checkPatterns('scan-file', inputs.scanFile) };
  }
  return choosePair(inputs);
}

function choosePair({ dependencies, vulnerabilities }: SelectionInputs): Selection {
  if (dependencies === '' || vulnerabilities === '') {
    const missing = dependencies === '' ? 'dependencies-file' : 'vulnerabilities-file';
    throw new InputError(
      `dependencies-file and vulnerabilities-file go together: ${missing} is missing. ` +
        'For one file use scan-file.',
    );
  }
  return {
    kind: 'pair',
    dependencies: checkPatterns('dependencies-file', dependencies),
    vulnerabilities: checkPatterns('vulnerabilities-file', vulnerabilities),
  };
}

function checkPatterns(name: string, text: string): string {
  if (parsePatterns(text).length > 0) return text;
  throw new InputError(
    `${name} holds only excludes (!) or comments (#): name the files to upload.`,
  );
}
