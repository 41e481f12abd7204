// A dialog that leaves the page gives the focus back to what opened it.
import { useEffect, useState } from 'react';

/** For a component that is there only while its dialog is open. */
export function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
    [opener],
  );
}
