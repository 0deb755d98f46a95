import { type Filters, requireInteger, requireText } from '../definition.ts';
import { matcherOf } from '../regex/compileRegex.ts';
import { readGroup, replaceMatches } from '../regex/replace.ts';
import { javaText } from '../values/text.ts';

/** Filters by regular expression, all in linear time. */
export const regexFilters: Filters = {
  regexMatch: {
    names: ['regex'],
    required: 1,
    acceptsNull: true,
    run: (input, [regex], { session }) => {
      const pattern = requireText(regex, 'The regex');
      return input !== null && matcherOf(pattern, javaText(input, session), session).find();
    },
  },
  regexReplace: {
    names: ['regex', 'replacement'],
    required: 2,
    run: (input, [regex, replacement], { session }) =>
      replaceMatches(
        javaText(input, session),
        requireText(regex, 'The regex'),
        requireText(replacement, 'The replacement'),
        session,
      ),
  },
  regexExtract: {
    names: ['regex', 'group'],
    required: 1,
    run: (input, [regex, group], { session }) => {
      const matcher = matcherOf(requireText(regex, 'The regex'), javaText(input, session), session);
      if (!matcher.find()) return null;
      return readGroup(
        matcher,
        group === undefined || group === null ? 0 : requireInteger(group, 'The group'),
      );
    },
  },
};
