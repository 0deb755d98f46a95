/** Who saved a revision, and why. Revisions of earlier releases have neither. */
export const sqlite017 = `
ALTER TABLE flows ADD COLUMN author TEXT;
ALTER TABLE flows ADD COLUMN message TEXT;
`;
