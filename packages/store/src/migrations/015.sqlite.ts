/** An embedded database has one server, and so no messages. */
export const sqlite015 = '';
