import { type DryRunRequest, runRequest } from './runInWorker.ts';

/** Only the newest request matters: a result that is out of date would be thrown away. */
let newest = 0;

addEventListener('message', ({ data }: MessageEvent<DryRunRequest>) => {
  newest = data.id;
  // A moment later, so that requests that wait already overtake this one.
  setTimeout(async () => {
    if (data.id !== newest) return;
    try {
      postMessage(await runRequest(data, () => performance.now()));
    } catch (error) {
      postMessage({ id: data.id, unreadable: error instanceof Error ? error.message : String(error) });
    }
  });
});
