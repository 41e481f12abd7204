// What a screen asks before its worker goes somewhere that is no other address: signing out, working for another institution.
import { useEffect, useEffectEvent } from 'react';

/** Whether something is typed there and not saved. */
type IsDirty = () => boolean;

const open = new Set<IsDirty>();

/** The screen is asked as long as it is there. */
export function useAskedBeforeLeaving(isDirty: IsDirty): void {
  const asked = useEffectEvent(isDirty);
  useEffect(() => {
    const own = () => asked();
    open.add(own);
    return () => void open.delete(own);
  }, []);
}

export const isAnythingUnsaved = (): boolean => [...open].some((isDirty) => isDirty());
