/** The value of `record` in the address for a suite that was made in this page instead of from an execution. */
export const madeHere = 'dry-run';

let draft: string | undefined;

/** Hands the source of a suite over to the Tests tab, which opens it unsaved. */
export function handOverSuite(source: string): void {
  draft = source;
}

/** The source that was handed over last; undefined after the page was loaded again. */
export const handedOverSuite = (): string | undefined => draft;
