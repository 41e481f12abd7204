// Live updates: a socket says that something of this worker's changed, and the lists ask the server anew. While the socket is
// down the lists ask every few seconds instead, so nothing depends on it. A socket may be dead without the browser's knowing (a network
// that was left, a proxy that forgot it): the server's heartbeat stops then, and silence ends it.
import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { api } from '../api/client';
import { useWorker } from '../api/session';

const LIVE = ['/api/report-runs', '/api/report-schedules', '/api/report-calendar', '/api/data-exports'];
const isLive = (key: unknown) => typeof key === 'string' && LIVE.some((path) => key.startsWith(path));

const LONGEST_PAUSE = 30_000;
/** The server speaks every ten seconds; who has been silent for longer is gone. */
const SILENCE = 25_000;
/** Several changes of one moment cost one reading. */
const GATHER = 150;

/** Whether a message only says that the socket lives. */
function isHeartbeat(message: unknown): boolean {
  try {
    return (JSON.parse(String(message)) as { vrsta?: unknown }).vrsta === 'otkucaj';
  } catch {
    return false;
  }
}

/** How often lists should ask by themselves, in ms; 0 while the socket does it. */
export function useReportEvents(): { pollEvery: number; offline: boolean } {
  const { id } = useWorker();
  const { mutate } = useSWRConfig();
  const [connected, setConnected] = useState(false);
  const [failedOnce, setFailedOnce] = useState(false);

  useEffect(() => {
    let socket: WebSocket | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let closed = false;
    const refresh = () => {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        void mutate(isLive);
      }, GATHER);
    };
    /** Nothing more of it is heard: closing a dead socket may take the browser minutes. */
    const leave = () => {
      clearTimeout(watchdog);
      if (!socket) return;
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
      socket = null;
    };
    const again = () => {
      if (closed) return;
      leave();
      setConnected(false);
      setFailedOnce(true);
      failures += 1;
      timer = setTimeout(() => void open(), Math.min(LONGEST_PAUSE, 500 * 2 ** failures));
    };
    const watch = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        again();
        refresh();
      }, SILENCE);
    };
    const open = async () => {
      try {
        const { ticket } = await api.post('/api/socket-tickets');
        if (closed) return;
        const address = new URL('/api/izvestajiWebSocket', window.location.href);
        address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
        address.search = new URLSearchParams({ radnikID: String(id), ticket }).toString();
        socket = new WebSocket(address);
        watch();
        socket.onopen = () => {
          failures = 0;
          setConnected(true);
          watch();
          // What happened while nobody listened.
          refresh();
        };
        socket.onmessage = ({ data }) => {
          watch();
          if (!isHeartbeat(data)) refresh();
        };
        socket.onclose = again;
      } catch {
        again();
      }
    };
    void open();
    return () => {
      closed = true;
      clearTimeout(timer);
      clearTimeout(gathering);
      leave();
    };
  }, [id, mutate]);

  return { pollEvery: connected ? 0 : 5_000, offline: failedOnce && !connected };
}
