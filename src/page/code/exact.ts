// Numbers as they are written: JSON.parse would round those beyond 2^53.

/** Texts in quotes, and numbers. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** What a JSON document says; whole numbers beyond 2^53 become bigints. */
export function parsed(text: string): any {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const large = (token: string) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
  const marked = text.replace(TOKEN, (token) => (large(token) ? `"\\u0000${token}"` : token));
  if (marked === text) return JSON.parse(text);
  const exact = (_: string, value: unknown) =>
    typeof value === "string" && /^\0-?\d+$/.test(value) ? BigInt(value.slice(1)) : value;
  return JSON.parse(marked, exact);
}
