/** The lengths of Huffman codes for these counts, none longer than the limit. */
export function codeLengths(counts: readonly number[], limit: number): number[] {
  for (let weights = [...counts]; ; weights = weights.map((weight) => Math.ceil(weight / 2))) {
    const lengths = unlimitedLengths(weights);
    // Flatter counts give shorter codes.
    if (Math.max(...lengths) <= limit) return lengths;
  }
}

interface Node {
  readonly weight: number;
  readonly symbols: readonly number[];
}

function unlimitedLengths(weights: readonly number[]): number[] {
  const lengths = new Array<number>(weights.length).fill(0);
  let nodes: Node[] = weights.map((weight, symbol) => ({ weight, symbols: [symbol] }));
  while (nodes.length > 1) {
    nodes = nodes.sort((a, b) => b.weight - a.weight);
    const [a, b] = [nodes.pop(), nodes.pop()];
    if (!a || !b) break;
    const symbols = [...a.symbols, ...b.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    nodes.push({ weight: a.weight + b.weight, symbols });
  }
  return lengths.map((length) => Math.max(1, length));
}

/** The codes in their canonical order: by length, then by symbol. */
export function codesOf(lengths: readonly number[]): number[] {
  const codes = new Array<number>(lengths.length).fill(0);
  let code = 0;
  for (let length = 1; length <= Math.max(...lengths); length++) {
    for (const [symbol, own] of lengths.entries()) if (own === length) codes[symbol] = code++;
    code *= 2;
  }
  return codes;
}
