import {
  type Candidate,
  type JsonMap,
  mapsIn,
  openTriggerState,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const trello = defineService({
  name: 'Trello',
  prefix: 'trello.cards',
  properties: {
    apiKey: need.secret('The API key.'),
    apiToken: need.secret('A token of the user.'),
    apiVersion: preset.text('1', 'The version of the API.'),
    apiBaseUrl: preset.text('https://api.trello.com', 'The address of the API.'),
  },
  baseUrl: ({ apiBaseUrl, apiVersion }) => `${apiBaseUrl.replace(/\/+$/, '')}/${apiVersion}`,
  auth: ({ apiKey, apiToken }) => ({
    headers: { authorization: `OAuth oauth_consumer_key="${apiKey}", oauth_token="${apiToken}"` },
  }),
  example: { apiKey: "{{ secret('TRELLO_KEY') }}", apiToken: "{{ secret('TRELLO_TOKEN') }}" },
});

const cardId = { cardId: need.text('The id of the card.') };
const pos = may.text('The position: `top`, `bottom` or a number.');

const create = trello.task({
  type: 'Create',
  title: 'Create a card in Trello',
  description: 'Creates a card in a list.',
  properties: {
    name: need.text('The name.'),
    listId: need.text('The id of the list.'),
    desc: may.text('The description.'),
    pos,
    due: may.text('When it is due.'),
  },
  request: 'POST /cards',
  body: { name: 'name', idList: 'listId', desc: 'desc', pos: 'pos', due: 'due' },
  output: {
    cardId: out.text('The id of the card.', 'id'),
    url: out.text('The page of the card.'),
    shortUrl: out.text('The short address of the card.'),
  },
  example: { name: 'The nightly load failed', listId: 'list1', pos: 'top' },
});

const comment = trello.task({
  type: 'Comment',
  title: 'Comment on a card of Trello',
  description: 'Adds a comment to a card.',
  properties: { ...cardId, text: need.text('The text.') },
  request: 'POST /cards/{cardId}/actions/comments',
  body: ['text'],
  output: { commentId: out.text('The id of the comment.', 'id') },
  example: { cardId: 'card1', text: 'The load runs again.' },
});

const move = trello.task({
  type: 'Move',
  title: 'Move a card of Trello to another list',
  description: 'Moves a card to a list.',
  properties: { ...cardId, listId: need.text('The id of the list.'), pos },
  request: 'PUT /cards/{cardId}',
  body: { idList: 'listId', pos: 'pos' },
  example: { cardId: 'card1', listId: 'list2' },
});

const update = trello.task({
  type: 'Update',
  title: 'Update a card of Trello',
  description: 'Changes the given fields of a card.',
  properties: {
    ...cardId,
    name: may.text('The name.'),
    desc: may.text('The description.'),
    closed: may.flag('Whether it is archived.'),
    due: may.text('When it is due.'),
    pos,
  },
  request: 'PUT /cards/{cardId}',
  body: ['name', 'desc', 'closed', 'due', 'pos'],
  example: { cardId: 'card1', closed: true },
});

const trigger = trello.trigger({
  type: 'Trigger',
  title: 'Start an execution when cards of Trello are new or have changed',
  description:
    'Reads the cards of a board or of lists every `interval`, and starts one execution for those that are new or have changed.',
  interval: 'PT5M',
  properties: {
    boardId: may.text('The id of the board; or `lists`.'),
    lists: may.texts('The ids of lists.'),
  },
  output: { count: out.integer('How many cards there are.'), cards: out.maps('The cards.') },
  poll: async (client, { boardId, lists = [] }, context) => {
    const paths = boardId ? [`/boards/${boardId}/cards`] : lists.map((list) => `/lists/${list}/cards`);
    if (paths.length === 0) throw new TaskFailed('"boardId" or "lists" must be given.', { retry: false });
    const candidates: (Candidate & { card: JsonMap })[] = [];
    for (const path of paths) {
      const { body } = await client.send({ path });
      for (const card of mapsIn(body))
        if (!boardId || lists.length === 0 || lists.includes(String(card.idList)))
          candidates.push({ uri: String(card.id), version: textOf(card.dateLastActivity) ?? '', card });
    }
    const state = await openTriggerState(context, { on: 'CREATE_OR_UPDATE' });
    const changes = state.changes(candidates);
    await state.save();
    if (changes.length === 0) return undefined;
    const cards = changes.map(({ candidate: { card }, changeType }) => ({
      cardId: card.id,
      cardName: card.name,
      cardUrl: card.url,
      cardDescription: card.desc,
      lastActivity: card.dateLastActivity,
      action: changeType,
      listId: card.idList,
      boardId: card.idBoard,
    }));
    return { count: cards.length, cards };
  },
  example: { boardId: 'board1' },
});

export const trelloTypes = [create, comment, move, update, trigger];
