// The files that a field of an entry holds: named by the entry, each once; what is in them is fetched when it is asked for.
import { formatBytes } from '../format';
import type { Stored } from '../forms/formula';
import { at } from '../api/address';
import type { Schema } from '../schema';
export type FileKind = Schema<'EntryFile'>['tip'];

export const FILE_KINDS: readonly FileKind[] = ['pdf', 'jpeg', 'png', 'txt'];
/** As domain/src/attachment.rs has it. */
const DEFAULT_COUNT = 5;

const isFile = (value: unknown): value is Schema<'EntryFile'> =>
  typeof value === 'object' && value !== null && 'sha256' in value && 'naziv' in value && typeof value.naziv === 'string';

export const areFiles = (value: unknown): boolean => Array.isArray(value) && isFile(value[0]);

export const filesOf = (value: unknown): readonly Schema<'EntryFile'>[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isFile) : [];

/** As an entry holds them; no formula reads them. */
export const storedFiles = (files: readonly Schema<'EntryFile'>[]): Stored => (files.length === 0 ? null : (files as unknown as Stored));

export function sameFiles(one: unknown, other: unknown): boolean {
  const [a, b] = [filesOf(one), new Set(filesOf(other).map(({ id }) => id))];
  return a.length === b.size && a.every(({ id }) => b.has(id));
}

/** `nalaz.pdf (1,5 KB)`, as the server tells it on paper. */
export const fileText = ({ naziv, velicina }: Schema<'EntryFile'>): string => `${naziv} (${formatBytes(velicina)})`;

export const isPicture = ({ tip }: Schema<'EntryFile'>): boolean => tip === 'jpeg' || tip === 'png';

export const filePath = (id: number, asked: { prikaz?: boolean; umanjeno?: boolean } = {}) => at('/api/entry-files/{id}', { id, ...asked });

export const mostFiles = (limits: Schema<'FileLimits'> | null | undefined): number => limits?.najviseFajlova ?? DEFAULT_COUNT;

export const kindsOf = (limits: Schema<'FileLimits'> | null | undefined): readonly FileKind[] =>
  limits?.vrsteFajlova && limits.vrsteFajlova.length > 0 ? limits.vrsteFajlova : FILE_KINDS;

const ENDINGS: Record<FileKind, string> = { pdf: '.pdf', jpeg: '.jpg,.jpeg', png: '.png', txt: '.txt' };

/** What a dialog of the system offers to choose from. */
export const acceptOf = (limits: Schema<'FileLimits'> | null | undefined): string =>
  kindsOf(limits)
    .map((kind) => ENDINGS[kind])
    .join(',');
