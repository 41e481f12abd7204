// /autologin?username=…&password=…: signs in and leaves. The address is wiped before anything else happens.
import { ProgressSpinner } from 'primereact/progressspinner';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { api, messageOf } from '../api/client';
import { t } from '../messages';
import { useToast } from '../ui/toast';
import style from './auth.module.css';
import { enter, signIn } from './signIn';

export function AutoLogin() {
  const started = useRef(false);
  const navigate = useNavigate();
  const toast = useToast();

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const query = new URLSearchParams(window.location.search);
    window.history.replaceState(null, '', '/autologin');
    void (async () => {
      try {
        const { autoPrijava } = await api.get('/api/application');
        const [username, password] = [query.get('username')?.trim(), query.get('password')];
        if (!autoPrijava || !username || !password) return void navigate('/', { replace: true });
        await signIn(username, password);
        await enter();
      } catch (error) {
        toast.error(t.signIn.failed, messageOf(error));
        void navigate('/', { replace: true });
      }
    })();
  }, [navigate, toast]);

  return (
    <div className={style.screen}>
      <title>{`${t.signIn.title} – ${t.product}`}</title>
      <main className={style.waiting}>
        <ProgressSpinner aria-label={t.signIn.auto} />
        <p>{t.signIn.auto}</p>
      </main>
    </div>
  );
}
