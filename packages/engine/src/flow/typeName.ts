/**
 * The short name under which a type is registered: `io.kestra.plugin.core.log.Log` is `core.log.Log`.
 * Only this one rule; the older listed names are resolved by the catalogue's aliases.
 */
const prefix = 'io.kestra.plugin.';

export const shortType = (type: string): string =>
  type.startsWith(prefix) ? type.slice(prefix.length) : type;
