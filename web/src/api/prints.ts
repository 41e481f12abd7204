// The print of a saved entry, or of the summary of its patient: asked for, waited for within a limit, fetched.
import type { Schema } from '../schema';
import { t } from '../messages';
import { at } from './address';
import { api, ApiError, type Download } from './client';
import { newKey } from './key';

/** In ms. A print takes about one second; what takes this long is not going to come while somebody waits. */
const LONGEST_WAIT = 45_000;
const LONGEST_ANSWER = 10_000;
const [FIRST_PAUSE, LONGEST_PAUSE] = [80, 1000];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The PDF, or null when nobody wants it any more. */
export async function printed(
  what: Pick<Schema<'PrintRequest'>, 'unosID' | 'sazetak' | 'termini'>,
  isWanted: () => boolean,
): Promise<Download | null> {
  const { stampaID } = await api.post('/api/entry-prints', { ...what, kljuc: newKey() });
  const giveUp = () => api.post(at('/api/entry-prints/{id}/cancel', { id: stampaID })).catch(() => undefined);
  const end = performance.now() + LONGEST_WAIT;
  for (let ms = FIRST_PAUSE; ; ms = Math.min(ms * 1.25, LONGEST_PAUSE)) {
    const { status, greska } = await api.get(at('/api/entry-prints/{id}', { id: stampaID }), AbortSignal.timeout(LONGEST_ANSWER));
    if (status === 'succeeded') return api.file(at('/api/entry-prints/{id}/file', { id: stampaID }));
    if (status === 'failed' || status === 'cancelled') throw new ApiError(0, greska ?? t.entries.printCancelled);
    if (!isWanted()) {
      void giveUp();
      return null;
    }
    if (performance.now() > end) {
      void giveUp();
      throw new ApiError(0, t.entries.printTooLong);
    }
    await pause(ms);
  }
}
