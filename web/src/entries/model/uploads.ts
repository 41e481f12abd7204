// Files on their way from the screen to the server, by field. They outlive their field's place on the screen: none is lost by being hidden.
import { t } from '../../messages';

const text = t.files;

export interface FileUpload {
  key: string;
  file: File;
  /** Why it did not arrive; none: it is on its way. */
  failed: string | null;
  /** Stops the sending. */
  stop: () => void;
}

const NONE: readonly FileUpload[] = [];

export class Uploads {
  private all = new Map<number, readonly FileUpload[]>();
  private listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  of(field: number): readonly FileUpload[] {
    return this.all.get(field) ?? NONE;
  }

  change(field: number, next: (uploads: readonly FileUpload[]) => readonly FileUpload[]): void {
    const uploads = next(this.of(field));
    if (uploads.length === 0) this.all.delete(field);
    else this.all.set(field, uploads);
    this.listeners.forEach((tell) => tell());
  }

  any(): boolean {
    return this.all.size > 0;
  }

  /** Why a save has to wait for the field: it would leave a file behind. None: it has not. */
  holds(field: number): string | null {
    const [first] = this.of(field);
    if (!first) return null;
    return first.failed === null ? text.stillSending(first.file.name) : text.notSent(first.file.name);
  }
}
