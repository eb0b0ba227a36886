// A reader of the part of TOML that puzzle files of drawings are written in.

export type Value = string | number | boolean | Value[] | { [key: string]: Value };

const TOKEN = /\s*(?:#[^\n]*\s*)*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w.+-]+|[[\]{}=,]|$)/y;

const elsewhere = () => new Error("This puzzle file is read by exactile serve only.");

/** A text in quotes, if it has no escapes but those of JSON. */
function unescaped(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    throw elsewhere();
  }
}

/** The document; throw if it has anything else, such as texts of several lines. */
export function readToml(text: string): Record<string, Value> {
  let at = 0;
  const peek = (): string => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw elsewhere();
    return found[1]!;
  };
  const next = (wanted?: string): string => {
    const token = peek();
    at = TOKEN.lastIndex;
    if (wanted !== undefined && token !== wanted) throw new Error(`A puzzle file has '${token}' where '${wanted}' belongs.`);
    return token;
  };
  const name = (token: string) => (token.startsWith('"') ? unescaped(token) : token.startsWith("'") ? token.slice(1, -1) : token);
  const path = (): string[] => {
    const token = next();
    const own = /^["']/.test(token) ? [name(token)] : token.split(".").filter(Boolean);
    // a dot before a quoted name belongs to the word before it
    return token.endsWith(".") ? [...own, ...path()] : own;
  };
  const put = (table: Record<string, Value>, keys: string[], value: Value): void => {
    const last = keys.pop()!;
    for (const key of keys) table = (Object.hasOwn(table, key) ? table[key] : (table[key] = {})) as Record<string, Value>;
    Object.defineProperty(table, last, { value, writable: true, enumerable: true, configurable: true });
  };
  const value = (): Value => {
    const token = next();
    if (token === "[") {
      const list: Value[] = [];
      while (peek() !== "]") {
        list.push(value());
        if (peek() !== "]") next(",");
      }
      next("]");
      return list;
    }
    if (token === "{") {
      const table: Record<string, Value> = {};
      while (peek() !== "}") {
        const keys = path();
        next("=");
        put(table, keys, value());
        if (peek() !== "}") next(",");
      }
      next("}");
      return table;
    }
    if (/^["']/.test(token)) return name(token);
    if (token === "true" || token === "false") return token === "true";
    if (/^[+-]?\d+$/.test(token)) return Number(token);
    throw new Error(`A puzzle file has '${token}' where a value belongs.`);
  };
  const file: Record<string, Value> = {};
  let table = file;
  while (peek() !== "") {
    if (peek() === "[") {
      next("[");
      const keys = path();
      next("]");
      table = {};
      put(file, keys, table);
    } else {
      const keys = path();
      next("=");
      put(table, keys, value());
    }
  }
  return file;
}
