// Records of the reports screen by their names here: the API's own, with the words that its description leaves open.
import { closerTo } from '../api/closer';
import type { Schema, ReplyFields } from '../schema';

/** An answer with some of its fields told more closely. */
type CloserRecord<T, Closer extends { [K in keyof Closer]: K extends keyof T ? Required<T>[K] : never }> = Omit<
  ReplyFields<T>,
  keyof Closer
> &
  Closer;

/** The kinds of a parameter (A 2.12). Hidden ones are the server's. */
export const Kind = { Text: 1, Date: 2, Hidden: 3, Set: 4, Number: 5, DynamicHidden: 6 } as const;
/** One to whom a report is mailed: typed, or chosen; `gone` is one who gets nothing any more. */
export type Recipient = { kind: 'address'; address: string } | { kind: 'worker' | 'group'; id: number; name: string; gone: boolean };

export type RunStatus =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'skipped_overlap'
  | 'skipped_unauthorised'
  | 'skipped_paused'
  | 'skipped_ended'
  | 'missed';

export type Delivery = CloserRecord<Schema<'RunDelivery'>, { status: 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' }>;
export type RunReader = CloserRecord<Schema<'RunRecipient'>, { status: Delivery['status'] | null }>;
export type Run = CloserRecord<
  Schema<'ReportRun'>,
  { status: RunStatus; faza: 'query' | 'render' | 'store' | null; isporuke: Delivery[]; primaoci: RunReader[] }
>;

export type Schedule = CloserRecord<
  Schema<'ReportSchedule'>,
  { period: 0 | 1 | 2 | null; politikaDana: 'skip' | 'last_day'; parametri: Record<string, string | string[]> }
>;

export type CalendarEvent = CloserRecord<Schema<'CalendarEvent'>, { status: RunStatus | 'scheduled' | 'paused' }>;

export const asRun = closerTo<Run>();
export const asRuns = closerTo<Run[]>();
export const asSchedules = closerTo<Schedule[]>();
export const asEvents = closerTo<CalendarEvent[]>();
