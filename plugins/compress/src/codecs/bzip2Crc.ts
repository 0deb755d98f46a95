const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});

/** The checksum of bzip2: that of zip, with the bits the other way round. */
export function bzip2Crc(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) value = ((value << 8) ^ (table[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return (value ^ 0xffff_ffff) >>> 0;
}
