/** So many are enough for a template that many objects are made from, and for the objects that are written again and again. */
const REMEMBERED = 4;

/**
 * `make` with its last few answers. For pure functions of values that nobody writes into: what is remembered shows only in time. Values are told apart by
 * identity, so it pays only where equal ones come as the same one.
 */
export function rememberRecent<K extends object, V>(make: (value: K) => V): (value: K) => V {
  const known: { readonly value: K; readonly answer: V }[] = [];
  let next = 0;
  return (value) => {
    for (const each of known) if (each.value === value) return each.answer;
    const answer = make(value);
    known[next] = { value, answer };
    next = (next + 1) % REMEMBERED;
    return answer;
  };
}
