/** The name of the database in its data folder. */
export const databaseFile = 'millrace.db';
