import { AppError, type Input } from '@millrace/contract';
import { blobPart, toBlobUri } from '@millrace/store';
import { tooLarge } from '../archives/receiveFile.ts';
import type { Form, FormFile, TakeFile } from '../http/form.ts';
import { executionFolder, type InternalStorage } from './internalStorage.ts';

interface Run {
  readonly namespace: string;
  readonly flowId: string;
  readonly executionId: string;
}

/** Takes the files of a form as inputs of one execution, into its folder, while they arrive. */
export class InputFiles {
  readonly #inputs: readonly Input[];
  readonly #folder: readonly string[];
  readonly #files: InternalStorage | undefined;
  readonly executionId: string;
  readonly #taken: string[] = [];

  /** Without storage nothing is stored, but the values are the same. */
  constructor(inputs: readonly Input[], run: Run, files: InternalStorage | undefined) {
    this.#inputs = inputs;
    this.#folder = [...executionFolder(run), 'inputs'];
    this.#files = files;
    this.executionId = run.executionId;
  }

  /** The input of a form part and its value; undefined when no input matches. */
  async take(file: FormFile): Promise<{ id: string; uri: string } | undefined> {
    const found = this.#inputOf(file);
    if (!found) return undefined;
    const { input, name } = found;
    if (input.type !== 'FILE') throw refuse(input.id, `expected \`${input.type}\`, not a file`);
    const segments = [...this.#folder, input.id, name];
    let sizeBytes = 0;
    const counted = async function* () {
      for await (const chunk of file.content) {
        sizeBytes += chunk.length;
        yield chunk;
      }
      if (file.isTruncated()) throw tooLarge(file.fileName);
      if (sizeBytes === 0) throw refuse(input.id, 'the file is empty');
    };
    if (this.#files) {
      const uri = await this.#files.put(segments, counted());
      this.#taken.push(uri);
      return { id: input.id, uri };
    }
    for await (const _ of counted());
    return { id: input.id, uri: toBlobUri(segments.map(blobPart).join('/')) };
  }

  /** Deletes the stored files because the execution did not start. */
  async discard(): Promise<void> {
    for (const uri of this.#taken) await this.#files?.delete(uri);
  }

  /** An older style calls every part "files" and puts the input's id into the file name; the file gets a name of ours. */
  #inputOf({ field, fileName }: FormFile): { input: Input; name: string } | undefined {
    const find = (id: string) => this.#inputs.find((input) => input.id === id);
    const old = field === 'files' ? find(fileName) : undefined;
    if (old) return { input: old, name: `${old.id}${extensionOf(old)}` };
    const input = find(field);
    return input && { input, name: fileName === '' ? `${field}${extensionOf(input)}` : fileName };
  }
}

/** Gives the inputs of a form to `use`. The files stay only if that leads to the execution they were stored for. */
export async function takeInputs<T extends { readonly id: string } | undefined>(
  files: InputFiles,
  readForm: (take: TakeFile) => Promise<Form>,
  use: (inputs: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  let isUsed = false;
  try {
    const { fields } = await readForm((file) => files.take(file));
    const made = await use(fields);
    isUsed = made === undefined || made.id === files.executionId;
    return made;
  } finally {
    if (!isUsed) await files.discard();
  }
}

const extensionOf = ({ extension }: Input): string => (typeof extension === 'string' ? extension : '.upl');

function refuse(id: string, reason: string): AppError {
  const message = `Invalid input for \`${id}\`, ${reason}`;
  return new AppError('invalid-entity', `${id}: ${message}`, { errors: [{ path: id, message }] });
}
