// The record on a dialog while it is being edited, and the message under the field that it is about.
import { useState } from 'react';

export interface Problem<T> {
  field: (keyof T & string) | null;
  message: string;
}

/** A field that somebody else has changed since the record was loaded. */
export interface OthersChange<T> {
  field: keyof T & string;
  before: unknown;
  now: unknown;
}

export interface EditedRecord<T> {
  record: T;
  /** The first of them. */
  problem: Problem<T> | null;
  problems: readonly Problem<T>[];
  disabled: boolean;
  changed: boolean;
  set: <K extends keyof T>(name: K, value: T[K]) => void;
  /** Several properties at once: one step, which is taken back as one. */
  setAll: (part: Partial<T>) => void;
  fail: (problem: Problem<T> | null) => void;
  failAll: (problems: readonly Problem<T>[]) => void;
  /** The first field whose typed number is none, or may be two: nothing is saved while there is one. */
  misread: Problem<T> | null;
  /** Says why a field's number is not taken; null once it is. */
  misreads: (field: keyof T & string, message: string | null) => void;
  reset: (record: T) => void;
  /** Takes the record as it is stored now, and keeps in it what was typed. */
  rebase: (stored: T) => void;
  /** What others have changed meanwhile. */
  others: readonly OthersChange<T>[];
}

export function useForm<T extends object>(initial: T, disabled = false): EditedRecord<T> {
  const [saved, setSaved] = useState(initial);
  const [record, setRecord] = useState(initial);
  const [problems, setProblems] = useState<readonly Problem<T>[]>([]);
  const [misread, setMisread] = useState<readonly Problem<T>[]>([]);
  const [others, setOthers] = useState<readonly OthersChange<T>[]>([]);
  const setAll = (part: Partial<T>) => {
    setRecord((current) => ({ ...current, ...part }));
    const isOf = ({ field }: Problem<T>) => field !== null && field in part;
    setProblems((current) => (current.some(isOf) ? current.filter((problem) => !isOf(problem)) : current));
  };
  return {
    record,
    problem: problems[0] ?? null,
    problems,
    disabled,
    changed: record !== saved && Object.keys(record).some((key) => !sameTyped(record[key as keyof T], saved[key as keyof T])),
    set: (name, value) => setAll({ [name]: value } as unknown as Partial<T>),
    setAll,
    fail: (problem) => setProblems(problem ? [problem] : []),
    failAll: setProblems,
    misread: misread[0] ?? null,
    misreads: (field, message) =>
      setMisread((current) => {
        const others = current.filter((one) => one.field !== field);
        return message === null ? others : [...others, { field, message }];
      }),
    reset: (next) => {
      setSaved(next);
      setRecord(next);
      setProblems([]);
      setMisread([]);
      setOthers([]);
    },
    rebase: (stored) => {
      const typed = (current: T) => Object.entries(current).filter(([key, value]) => !sameTyped(value, saved[key as keyof T]));
      setSaved(stored);
      setRecord((current) => ({ ...stored, ...Object.fromEntries(typed(current)) }));
      setProblems([]);
      const fields = Object.keys(stored) as (keyof T & string)[];
      const changes = fields.map((field) => ({ field, before: saved[field], now: stored[field] }));
      setOthers(changes.filter(({ before, now }) => !sameTyped(before, now)));
    },
    others,
  };
}

export const isBlank = (value: unknown) => value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** A text typed and taken back is as blank as one never typed. */
export const sameTyped = (one: unknown, other: unknown) => one === other || (isBlank(one) && isBlank(other));

/** The first of the named fields that is blank, in the order given: the specification fixes the order. */
export function firstMissing<T>(record: T, required: readonly (readonly [keyof T & string, string])[]): Problem<T> | null {
  const missing = required.find(([field]) => isBlank(record[field]));
  return missing ? { field: missing[0], message: missing[1] } : null;
}

/** What is sent: texts without outer spaces, and a blank one as nothing. A password's spaces are a part of it. */
export function payload<T extends object>(record: T): T {
  const clean = (key: string, value: unknown) =>
    value === undefined ? value : isBlank(value) ? null : typeof value === 'string' && !key.startsWith('password') ? value.trim() : value;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, clean(key, value)])) as T;
}
