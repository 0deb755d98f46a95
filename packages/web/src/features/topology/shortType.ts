/** `io.kestra.plugin.core.log.Log` and `core.log.Log` both read `log.Log`: the part that tells types apart. */
export const shortType = (type: string): string => type.split('.').slice(-2).join('.');
