// A process of its own that sends one body again and again, as often as it is told, so that what sending costs is not in the figures
// of the one who measures. It is given what to send as its first message, and tells what was answered when it is told to stop.
let stopped = false;

async function send({ url, headers, body, senders, every }) {
  const answers = {};
  const one = async () => {
    while (!stopped) {
      // A refusal may come before the body is sent, and the connection end with it.
      const status = await fetch(url, { method: 'POST', headers, body }).then(
        (response) => response.arrayBuffer().then(() => response.status),
        () => 'connection closed',
      );
      answers[status] = (answers[status] ?? 0) + 1;
      await new Promise((done) => setTimeout(done, every));
    }
  };
  await Promise.all(Array.from({ length: senders }, one));
  process.send(answers);
  process.disconnect();
}

process.on('message', (message) => {
  if (message === 'stop') stopped = true;
  else void send(message);
});
