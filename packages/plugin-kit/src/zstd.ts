import { importModule } from './importModule.ts';

type Compress = (bytes: Uint8Array, level: number) => Uint8Array;

let loading: Promise<Compress> | undefined;

/** Compresses with Zstandard, which Node 20 lacks. The library breaks when it is initialized twice, so all families share it. */
export function loadZstdCompress(): Promise<Compress> {
  loading ??= importModule<{ init(): Promise<void>; compress: Compress }>('@bokuweb/zstd-wasm').then(
    async ({ init, compress }) => {
      await init();
      return compress;
    },
  );
  return loading;
}
