// What a button of a list's row does: the row's buttons wait meanwhile, a failure is told, and the list is read anew either way.
import { useState } from 'react';
import { useToast } from './toast';

interface Deed {
  busy: boolean;
  act: (work: () => Promise<unknown>, failed: string) => Promise<void>;
}

export function useDeed(reload: () => void): Deed {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const act: Deed['act'] = async (work, failed) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast.failure(failed, error);
    } finally {
      setBusy(false);
      reload();
    }
  };
  return { busy, act };
}
