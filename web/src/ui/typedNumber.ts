/** `7,5` and `7.5` are the same number; what is no number stays as it was typed, and whoever takes it says so. */
export function typedNumber(typed: string): number | string | null {
  const plain = typed.trim().replace(',', '.').replace('−', '-');
  if (plain === '') return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : typed;
}
