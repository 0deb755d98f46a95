import { bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const todoist = defineService({
  name: 'Todoist',
  prefix: 'todoist',
  baseUrl: 'https://api.todoist.com/api/v1',
  properties: { apiToken: need.secret('An API token.') },
  auth: ({ apiToken }) => bearer(apiToken),
  example: { apiToken: "{{ secret('TODOIST_TOKEN') }}" },
});

const taskId = { taskId: need.text('The id of the task.') };
const id = { taskId: out.text('The id of the task.', 'id') };
const fields = {
  taskDescription: may.text('A description.'),
  priority: may.integer('The priority from 1 (normal) to 4 (urgent).'),
  dueString: may.text('When it is due, such as `tomorrow at 9`.'),
};

const create = todoist.task({
  type: 'CreateTask',
  title: 'Create a task in Todoist',
  description: 'Creates a task.',
  properties: {
    content: need.text('The text.'),
    ...fields,
    projectId: may.text('The id of the project; the inbox when absent.'),
  },
  request: 'POST /tasks',
  body: {
    content: 'content',
    description: 'taskDescription',
    priority: 'priority',
    project_id: 'projectId',
    due_string: 'dueString',
  },
  output: id,
  example: { content: 'Look at the nightly load', dueString: 'tomorrow at 9', priority: 4 },
});

const update = todoist.task({
  type: 'UpdateTask',
  title: 'Update a task of Todoist',
  description: 'Changes the given fields of a task.',
  properties: { ...taskId, content: may.text('The text.'), ...fields },
  request: 'POST /tasks/{taskId}',
  body: { content: 'content', description: 'taskDescription', priority: 'priority', due_string: 'dueString' },
  output: id,
  example: { taskId: 't1', priority: 1 },
});

const complete = todoist.task({
  type: 'CompleteTask',
  title: 'Complete a task of Todoist',
  description: 'Marks a task as done.',
  properties: taskId,
  request: 'POST /tasks/{taskId}/close',
  example: { taskId: 't1' },
});

const remove = todoist.task({
  type: 'DeleteTask',
  title: 'Delete a task of Todoist',
  description: 'Deletes a task.',
  properties: taskId,
  request: 'DELETE /tasks/{taskId}',
  example: { taskId: 't1' },
});

const get = todoist.task({
  type: 'GetTask',
  title: 'Get a task of Todoist',
  description: 'Reads one task.',
  properties: taskId,
  request: 'GET /tasks/{taskId}',
  output: { task: out.map('The task.', '') },
  example: { taskId: 't1' },
});

const list = todoist.task({
  type: 'ListTasks',
  title: 'List the tasks of Todoist',
  description: 'Lists open tasks, of a project or by a filter.',
  properties: {
    projectId: may.text('Only of this project.'),
    filter: may.text('A filter of Todoist, such as `today | overdue`; it wins over `projectId`.'),
    limit: may.integer('The most tasks.'),
  },
  request: ({ filter }) => `GET /tasks${filter ? '/filter' : ''}`,
  query: ({ projectId, filter }) => (filter ? { query: filter } : { project_id: projectId }),
  rows: {
    at: 'results',
    paging: { kind: 'cursor', parameter: 'cursor', next: 'next_cursor' },
    limit: ({ limit }) => limit,
  },
  example: { filter: 'today | overdue', limit: 20 },
});

export const todoistTypes = [create, update, complete, remove, get, list];
