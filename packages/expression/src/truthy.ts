/** The rule of conditions (`If`, `runIf`, `Fail`): null, empty text, `0`, `-0` and `false` are false, after trimming. */
export function isTruthy(rendered: unknown): boolean {
  if (rendered === null || rendered === undefined || rendered === false) return false;
  if (typeof rendered === 'number') return rendered !== 0;
  if (typeof rendered !== 'string') return true;
  const text = rendered.trim();
  return text !== '' && text !== '0' && text !== '-0' && text !== 'false';
}
