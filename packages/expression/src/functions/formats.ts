import { type Fns, requireText } from '../definition.ts';
import { readIon } from '../ion/readIon.ts';
import { readYaml } from '../yaml/readYaml.ts';

/** Functions that read a value written in another notation. */
export const formatFunctions: Fns = {
  yaml: {
    names: ['yaml'],
    required: 1,
    run: ([yaml]) => (yaml === null ? null : readYaml(requireText(yaml, 'The argument of yaml'))),
  },
  fromIon: {
    names: ['ion', 'allRows'],
    required: 1,
    run: ([ion, allRows]) => {
      if (ion === null) return null;
      const rows = readIon(requireText(ion, 'The argument of fromIon'));
      return allRows === true ? rows : (rows[0] ?? null);
    },
  },
};
