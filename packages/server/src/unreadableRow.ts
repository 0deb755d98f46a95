/** The message about a stored object that cannot be read. */
export const unreadable = (what: string, id: string, reason: string): string =>
  `The ${what} "${id}" is stored, but cannot be read: ${reason}. It takes no part in anything and can be deleted.`;
