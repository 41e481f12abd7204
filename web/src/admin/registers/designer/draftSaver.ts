// Saves a draft by itself, a moment after its designer has paused: one save at a time, each with the number that the one before has given.
import { at } from '../../../api/address';
import { api, ApiError } from '../../../api/client';
import type { BodyOf } from '../../../api/description';
import { asStanding, type FormDocument, type Standing } from './model';

/** After the last change. */
const PAUSE = 600;
/** After a save that found no server. */
const AGAIN = 5000;

export type SaveState = 'saved' | 'changed' | 'saving' | 'failed' | 'elsewhere';

type Tell = (state: SaveState, standing: Standing | null) => void;

export class DraftSaver {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | null = null;
  private saved: FormDocument;
  private ended = false;

  constructor(
    private readonly form: number,
    private verzija: number,
    private document: FormDocument,
    private readonly tell: Tell,
  ) {
    this.saved = document;
  }

  readonly number = (): number => this.verzija;

  /** Whether this is what the number is of. */
  readonly isSaved = (document: FormDocument): boolean => this.saved === document;

  change(document: FormDocument): void {
    if (document === this.document) return;
    this.document = document;
    if (this.ended) return;
    // A step that was taken back before it was saved leaves nothing to save.
    if (document === this.saved && !this.running) {
      clearTimeout(this.timer);
      return this.tell('saved', null);
    }
    this.tell('changed', null);
    this.plan(PAUSE);
  }

  private plan(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), wait);
  }

  /** Whether everything is saved now. */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer);
    while (!this.ended && this.saved !== this.document) {
      this.running ??= this.save().finally(() => {
        this.running = null;
      });
      const before = this.saved;
      await this.running;
      if (this.saved === before) return false;
    }
    return !this.ended;
  }

  private async save(): Promise<void> {
    const { document } = this;
    this.tell('saving', null);
    try {
      const { verzija, ...standing } = await api.put(at('/api/forms/{id}/draft', { id: this.form }), {
        verzija: this.verzija,
        // What an example leaves out is blank.
        dokument: document as BodyOf<'/api/forms/{id}/draft', 'put'>['dokument'],
      });
      this.verzija = verzija;
      this.saved = document;
      this.tell(this.document === document ? 'saved' : 'changed', asStanding(standing));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Another window has saved it, or it has ended: what is here would overwrite that.
      const isElsewhere = error.status === 409 || error.status === 404;
      if (isElsewhere) this.end();
      else this.plan(AGAIN);
      this.tell(isElsewhere ? 'elsewhere' : 'failed', null);
    }
  }

  /** Nothing is saved any more. */
  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }
}
