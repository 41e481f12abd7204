// Messages over the page. Errors stay until closed; the rest leave by themselves.
import { Toast } from 'primereact/toast';
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
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

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  const toasts = useMemo<Toasts>(() => {
    const show = (severity: 'success' | 'info' | 'warn' | 'error') => (summary: string, detail?: string) =>
      toast?.show({ severity, summary, detail, sticky: severity === 'error', life: 5000 });
    const error = show('error');
    return {
      success: show('success'),
      info: show('info'),
      warn: show('warn'),
      error,
      failure: (summary, cause) => error(summary, messageOf(cause)),
      clear: () => toast?.clear(),
    };
  }, [toast]);
  return (
    <Context value={toasts}>
      {children}
      {/* Not over the buttons of a page's head: a save that failed is tried again there. */}
      <Toast ref={setToast} position="bottom-right" />
    </Context>
  );
}

export function useToast(): Toasts {
  const toasts = use(Context);
  if (!toasts) throw new Error('useToast outside ToastProvider');
  return toasts;
}
