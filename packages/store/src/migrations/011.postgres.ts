/** Folders on a worker in another process that the tasks of an execution share. A name is never reused. */
export const postgres011 = `
CREATE TABLE worker_folders (
  directory text COLLATE "C" PRIMARY KEY,
  execution_id text COLLATE "C" NOT NULL,
  task_run_id text COLLATE "C" NOT NULL,
  worker_id text COLLATE "C" NOT NULL
);
CREATE INDEX worker_folders_worker ON worker_folders (worker_id);
CREATE INDEX worker_folders_execution ON worker_folders (execution_id);
`;
