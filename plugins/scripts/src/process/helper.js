/**
 * The spawn helper: a small process next to the server that starts the processes of tasks. A fork copies the
 * page tables of the parent, so a large server would stall at every script it starts.
 *
 * It is started as `node helper.js <nonce>` with a socket on file descriptor 3. When the socket closes, the
 * server is gone: the helper ends all processes it started, then itself.
 */
import { Socket } from 'node:net';
import { createFrameReader, frameKinds } from './frames.js';
import { findTagged, tell } from './strays.js';
import { TaskProcess } from './taskProcess.js';

const nonce = process.argv[2] ?? '';
const sweepDelayMs = 200;
const lastGraceMs = 2000;
const lookEveryMs = 50;

const socket = new Socket({ fd: 3, readable: true, writable: true });
/** @type {Map<number, TaskProcess>} */
const running = new Map();
let isSweepDue = false;

/** Ends processes that outlived their task: daemons that left the group, and orphans of a helper that died. */
function sweepSoon() {
  if (isSweepDue) return;
  isSweepDue = true;
  setTimeout(() => {
    isSweepDue = false;
    for (const { pid, id } of findTagged(nonce)) if (!running.has(id)) tell(pid, 'SIGKILL');
  }, sweepDelayMs);
}

/** @param {number} id @param {import('./taskProcess.js').SpawnOrder} order */
function start(id, order) {
  const task = new TaskProcess(nonce, id, order, {
    send: (frame) => {
      for (const part of frame) socket.write(part);
    },
    onGone: () => {
      running.delete(id);
      sweepSoon();
    },
  });
  running.set(id, task);
  task.start();
}

socket.on(
  'data',
  createFrameReader(({ kind, id, payload }) => {
    if (kind === frameKinds.spawn) start(id, JSON.parse(payload.toString('utf8')));
    else if (kind === frameKinds.taken) running.get(id)?.taken(payload.readUInt8(0), payload.readUInt32BE(1));
    else if (kind === frameKinds.kill) running.get(id)?.kill(payload.readUInt32BE(0));
  }),
);

let isLeaving = false;
function leave() {
  if (isLeaving) return;
  isLeaving = true;
  for (const task of running.values()) task.kill(lastGraceMs);
  const deadline = Date.now() + lastGraceMs;
  const look = () => {
    const left = findTagged(nonce);
    if (left.length === 0) process.exit(0);
    if (Date.now() > deadline) for (const { pid } of left) tell(pid, 'SIGKILL');
    setTimeout(look, lookEveryMs);
  };
  look();
}

socket.on('close', leave);
socket.on('error', leave);
// A terminal sends these to the whole group; the server decides about its tasks, and its end is seen on the socket.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('SIGHUP', () => {});

sweepSoon();
