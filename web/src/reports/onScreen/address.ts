// The address of a report with what is asked of it, for a colleague who opens it in her own rights. What is asked stands behind `#`, which a
// browser sends to no server: no log has it.
import type { ParameterValue } from '../request';

export interface SharedReport {
  values: Record<string, ParameterValue>;
  register: number | null;
}

export function addressOf(report: number, { values, register }: SharedReport): string {
  const asked = new URLSearchParams();
  if (register !== null) asked.set('registar', String(register));
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value]) if (one) asked.append(`p.${name}`, one);
  const text = asked.toString();
  return `/prikazIzvestaja/${String(report)}${text ? `#${text}` : ''}`;
}

/** What an address asks for; `many` are the names of parameters that hold several values. */
export function askedIn(hash: string, many: ReadonlySet<string>): SharedReport {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const values: SharedReport['values'] = {};
  for (const key of new Set(asked.keys())) {
    if (!key.startsWith('p.')) continue;
    const name = key.slice(2);
    const all = asked.getAll(key);
    values[name] = many.has(name) ? all : (all[0] ?? '');
  }
  return { values, register: Number(asked.get('registar')) || null };
}
