// Messages over the page. Errors stay until closed; the rest leave by themselves.
import { Toast } from 'primereact/toast';
import { createContext, use, useState, type ReactNode } from 'react';
import { messageOf } from '../api/client';

export interface Toasts {
  success: (summary: string, detail?: string) => void;
  info: (summary: string, detail?: string) => void;
  warn: (summary: string, detail?: string) => void;
  error: (summary: string, detail?: string) => void;
  /** A failed call: a fixed title and the server's message. */
  failure: (summary: string, error: unknown) => void;
  clear: () => void;
}

const Context = createContext<Toasts | null>(null);

/** Speaks through the handle that PrimeReact gives, a new one with each message: as state it would draw every user of messages again. */
function speaker() {
  let toast: Toast | null = null;
  const show = (severity: 'success' | 'info' | 'warn' | 'error') => (summary: string, detail?: string) =>
    toast?.show({ severity, summary, detail, sticky: severity === 'error', life: 5000 });
  const error = show('error');
  const toasts: Toasts = {
    success: show('success'),
    info: show('info'),
    warn: show('warn'),
    error,
    failure: (summary, cause) => error(summary, messageOf(cause)),
    clear: () => toast?.clear(),
  };
  const speakThrough = (handle: Toast | null) => {
    toast = handle;
  };
  return { toasts, speakThrough };
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [{ toasts, speakThrough }] = useState(speaker);
  return (
    <Context value={toasts}>
      {children}
      {/* Not over the buttons of a page's head: a save that failed is tried again there. */}
      <Toast ref={speakThrough} position="bottom-right" />
    </Context>
  );
}

export function useToast(): Toasts {
  const toasts = use(Context);
  if (!toasts) throw new Error('useToast outside ToastProvider');
  return toasts;
}
