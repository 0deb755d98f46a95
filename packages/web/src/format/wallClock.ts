/** Pickers speak of the wall clock, `2026-03-01 02:00:00`; calls and addresses of moments. */
export const localToInstant = (local: string): string => new Date(local.replace(' ', 'T')).toISOString();

export function instantToLocal(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
