/** The part of tar-fs that is used here; the package ships no types. */
declare module 'tar-fs' {
  interface Header {
    readonly name: string;
    readonly type: string;
    readonly uid?: number;
    readonly gid?: number;
  }
  interface Options {
    readonly map?: (header: Header) => Header;
    readonly ignore?: (name: string, header?: Header) => boolean;
    readonly dmode?: number;
    readonly fmode?: number;
  }
  export function pack(folder: string, options?: Options): NodeJS.ReadableStream;
  export function extract(folder: string, options?: Options): NodeJS.WritableStream;
}
