import type { InjectOptions } from 'fastify';

export interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly content: string | Buffer;
}

/** A form as a browser sends it, with fields and files. */
export function multipart(...parts: readonly Part[]): Partial<InjectOptions> {
  const pieces = parts.flatMap(({ name, fileName, content }) => [
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([...pieces, Buffer.from('--b--\r\n')]),
  };
}
