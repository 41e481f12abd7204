// What a display on a wall knows: the board as it was last told, and whether the server can still be reached. Asked for every five minutes,
// and soon again while something is being made or nobody answers; of a server that says that it was asked too often, only after a while.
import { useEffect, useState } from 'react';
import { api, ApiError, messageOf } from '../../api/client';
import type { Reply } from '../../schema';
import { reloadIfNewer } from './newSite';

export type WallBoard = Reply<'WallBoard'>;

export interface WallState {
  board: WallBoard | null;
  /** The last call was not answered. */
  lost: boolean;
  /** Why the last call was refused for now. */
  busy: string | null;
  /** Why the link shows nothing. */
  closed: string | null;
}

export const EVERY = 5 * 60_000;
export const SOON = 15_000;
/** Calls are counted by the minute; screens that were refused together do not come together again. */
export const LATER = 60_000;
const SPREAD = 30_000;
const BLANK: WallState = { board: null, lost: false, busy: null, closed: null };

export function useWallBoard(token: string): WallState {
  const [told, setTold] = useState<{ token: string; state: WallState }>({ token, state: BLANK });
  useEffect(() => {
    if (!token) return;
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (change: (known: WallState) => WallState) =>
      setTold((known) => ({ token, state: change(known.token === token ? known.state : BLANK) }));
    const ask = async () => {
      let wait = EVERY;
      try {
        const board = await api.wall(token);
        if (left) return;
        tell(() => ({ board, lost: false, busy: null, closed: null }));
        if (board.plocice.some(({ ceka }) => ceka)) wait = SOON;
        else void reloadIfNewer();
      } catch (error) {
        if (left) return;
        if (error instanceof ApiError && error.status === 401) tell(() => ({ ...BLANK, closed: messageOf(error) }));
        else if (error instanceof ApiError && error.status === 429) {
          tell((known) => ({ ...known, lost: false, busy: messageOf(error) }));
          wait = LATER + Math.random() * SPREAD;
        } else {
          tell((known) => ({ ...known, lost: true, busy: null }));
          wait = SOON;
        }
      }
      timer = setTimeout(() => void ask(), wait);
    };
    void ask();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [token]);
  return told.token === token ? told.state : BLANK;
}
