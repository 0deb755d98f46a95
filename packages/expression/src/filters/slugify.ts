/** `Hello World! Ça va` becomes `hello-world-ca-va`. */
export function slugify(text: string): string {
  return text
    .replace(/\s/g, '-')
    .normalize('NFD')
    .replace(/[^A-Za-z0-9_-]/g, '')
    .replace(/_/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}
