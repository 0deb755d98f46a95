/** The CRC-32C checksum that Cloud Storage keeps of every object; node:zlib has only the other CRC-32. */
const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

export class Crc32c {
  #value = 0xffffffff;

  update(bytes: Uint8Array): void {
    let value = this.#value;
    for (let index = 0; index < bytes.length; index++)
      value = (table[(value ^ (bytes[index] ?? 0)) & 0xff] ?? 0) ^ (value >>> 8);
    this.#value = value;
  }

  /** As Google writes it: four bytes, the first one the highest, in Base64. */
  digest(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((this.#value ^ 0xffffffff) >>> 0);
    return bytes.toString('base64');
  }
}
