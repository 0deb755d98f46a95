import { type Filters, requireText } from '../definition.ts';
import { ionText } from '../ion/writeIon.ts';
import { runJq } from '../jq/runJq.ts';
import { jsonText } from '../values/json.ts';
import { yamlText } from '../yaml/writeYaml.ts';

/** Filters that write a value in another notation, or query it. */
export const formatFilters: Filters = {
  toJson: { names: [], acceptsNull: true, run: (input, _, { session }) => jsonText(input, session) },
  json: { names: [], acceptsNull: true, run: (input, _, { session }) => jsonText(input, session) },
  toIon: { names: [], acceptsNull: true, run: (input, _, { session }) => ionText(input, session) },
  yaml: {
    names: [],
    acceptsNull: true,
    run: (input, _, { session }) => (input === null ? 'null' : yamlText(input, session)),
  },
  jq: {
    names: ['expression'],
    required: 1,
    run: (input, [expression], { session }) =>
      runJq(requireText(expression, 'The jq expression'), input, session),
  },
};
