import { type FlowValidation, flows } from '@millrace/contract';
import { withoutPlace } from '@millrace/engine';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { placesIn } from '../client/placesIn.ts';
import { printable, printJson } from '../client/print.ts';
import { type FlowSource, readFlowSources } from '../client/sourceFiles.ts';
import { defineCommand, exitCodes, type Output } from '../command.ts';

export const flowValidate = defineCommand({
  name: 'flow validate',
  summary: 'Check flows without saving them; fails when one of them could not be saved',
  usage: 'PATH…',
  positionals: { min: 1, max: 10_000 },
  options: {
    local: {
      type: 'boolean',
      help: 'check here, without a server: needs no connection, knows no other flows',
    },
    ...clientOptions,
  },
  details: 'PATH is a file, a folder with .yml and .yaml files, or - for standard input.',
  run: async ({ values, positionals }, surroundings) => {
    const sources = await readFlowSources(positionals);
    const validate = values.local ? await validateHere() : validateThere(connect(values, surroundings));
    const checked = await Promise.all(
      sources.map(async (source) => ({ source, result: await validate(source.text) })),
    );
    if (isJson(values, surroundings)) {
      printJson(
        surroundings.out,
        checked.map(({ source, result }) => ({ file: source.origin, ...result })),
      );
    } else for (const { source, result } of checked) print(surroundings.out, source, result);
    return checked.some(({ result }) => result.constraints !== undefined) ? exitCodes.failed : exitCodes.done;
  },
});

type Validate = (text: string) => Promise<FlowValidation>;

const validateThere =
  (client: ReturnType<typeof connect>): Validate =>
  async (text) => {
    const [result] = await client.call(flows.validateFlows, { body: text });
    return result ?? { index: 0, outdated: false, constraints: 'the server said nothing about this flow' };
  };

/** The same rules as on a server, except those that need its revisions and other flows. */
async function validateHere(): Promise<Validate> {
  const [{ validateSource }, { openProductCatalogue }] = await Promise.all([
    import('@millrace/engine'),
    import('../../plugins/productFamilies.ts'),
  ]);
  const catalogue = await openProductCatalogue();
  return async (text) => {
    const lookups = { lastRevision: () => undefined, findFlow: () => ({ disabled: false }) };
    const [result] = await validateSource(text, catalogue, lookups);
    return result ?? { index: 0, outdated: false, constraints: 'there is no flow' };
  };
}

function print(out: Output, source: FlowSource, result: FlowValidation): void {
  const names = [result.namespace, result.flow].filter((name) => name !== undefined);
  const name = names.length === 0 ? '' : ` (${names.join('.')})`;
  const placeOf = placesIn(source);
  const tell = (kind: string, findings: readonly string[]) => {
    for (const finding of findings) {
      const place = placeOf(finding);
      const message = place === source.origin ? finding : withoutPlace(finding);
      out.write(`${kind.padEnd(8)} ${place}${name}: ${printable(message)}\n`);
    }
  };
  const { constraints, violations } = result;
  if (constraints === undefined) out.write(`ok       ${source.origin}${name}\n`);
  else
    tell(
      'invalid',
      violations?.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)) ?? [
        constraints,
      ],
    );
  tell('warning', result.warnings ?? []);
  tell('info', result.infos ?? []);
}
