/** One sentence about each variable. */
export const variableDocs: Readonly<Record<string, string>> = {
  inputs: 'The inputs of the execution, by id.',
  outputs: 'The outputs of the tasks that have ended, by task id.',
  vars: 'The variables of the flow.',
  labels: 'The labels of the execution, by key.',
  flow: 'The flow: id, namespace and revision.',
  execution: 'The execution: id, start date and state.',
  trigger: 'The outputs of the trigger that started the execution.',
  taskrun: 'The task run: its id, its attempts and, in a loop, its value and iteration.',
  item: 'The innermost loop around the task: its value and its index, which counts from 0.',
  task: 'The task that the expression is in: id and type.',
  tasks: 'The states of the task runs, by task id.',
  parent: 'The task around this one: its loop value and its outputs.',
  parents: 'The tasks around this one, the nearest first.',
  envs: 'Environment variables of the server that start with ENV_, in lower case.',
  globals: 'Variables of the server configuration.',
  kestra: 'The server: its environment and its address.',
};
