import { parseArgs } from 'node:util';
import { simulate } from '@millrace/engine/simulator';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50000' },
    from: { type: 'string', default: '0' },
  },
});
const [from, seeds] = [Number(values.from), Number(values.seeds)];
if (!Number.isInteger(from) || !Number.isInteger(seeds) || seeds < 1)
  throw new Error(`--from and --seeds must be whole numbers, got "${values.from}" and "${values.seeds}".`);

const reportEvery = 1000;
let breaches = 0;
for (let seed = from; seed < from + seeds; seed++) {
  const { problem } = simulate(seed);
  if (problem !== undefined) {
    breaches++;
    process.stdout.write(`seed ${seed}: ${problem}\n`);
  }
  const done = seed - from + 1;
  if (done % reportEvery === 0 || done === seeds)
    process.stdout.write(`${done} of ${seeds} seeds, ${breaches} with a breach\n`);
}
process.exitCode = breaches === 0 ? 0 : 1;
