/** Who saved a revision, and why. Revisions of earlier releases have neither. */
export const postgres017 = `
ALTER TABLE flows ADD COLUMN author text, ADD COLUMN message text;
`;
