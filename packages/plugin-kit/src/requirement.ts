import type { Issue } from '@millrace/contract';
import type { Properties } from './values.ts';

/** A rule for `check`: exactly one of these properties must be set. */
export function oneOf(...names: readonly string[]): (properties: Properties) => readonly Issue[] {
  return (properties) => {
    const given = names.filter((name) => properties[name] !== undefined && properties[name] !== null);
    if (given.length === 1) return [];
    const list = names.map((name) => `"${name}"`).join(' or ');
    return [
      {
        severity: 'error',
        path: given[1] ?? '',
        message: `either ${list} must be given, and only one of them`,
      },
    ];
  };
}

/** A rule for `check`: all of these properties, or none of them. */
export function allOrNone(...names: readonly string[]): (properties: Properties) => readonly Issue[] {
  return (properties) => {
    const missing = names.filter((name) => properties[name] === undefined || properties[name] === null);
    if (missing.length === 0 || missing.length === names.length) return [];
    const list = names.map((name) => `"${name}"`).join(', ');
    return [
      {
        severity: 'error',
        path: missing[0] ?? '',
        message: `${list} must be given together, or none of them`,
      },
    ];
  };
}
