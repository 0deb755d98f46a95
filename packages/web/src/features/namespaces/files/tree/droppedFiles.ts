/** A file or an empty folder from the user's computer, with its path below what was dropped. */
export interface UploadEntry {
  readonly path: string;
  /** Undefined for an empty folder. */
  readonly file: File | undefined;
}

/** Everything in what was dropped, folders with what is inside them. The browser lists it only while it is dropped. */
export async function readDropped(transfer: DataTransfer): Promise<UploadEntry[]> {
  const entries = [...transfer.items].map((item) => ({
    entry: item.kind === 'file' ? item.webkitGetAsEntry?.() : undefined,
    file: item.kind === 'file' ? item.getAsFile() : undefined,
  }));
  const read = await Promise.all(
    entries.map(({ entry, file }) => {
      if (entry) return readEntry(entry, '');
      return file ? [{ path: file.name, file }] : [];
    }),
  );
  return read.flat();
}

async function readEntry(entry: FileSystemEntry, folder: string): Promise<UploadEntry[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  const inside = await listFolder((entry as FileSystemDirectoryEntry).createReader());
  if (inside.length === 0) return [{ path, file: undefined }];
  return (await Promise.all(inside.map((one) => readEntry(one, `${path}/`)))).flat();
}

/** A reader returns its entries in parts, the last of which is empty. */
async function listFolder(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return all;
    all.push(...part);
  }
}
