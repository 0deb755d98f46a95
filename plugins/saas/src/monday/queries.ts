/** Columns that show values of other items have no text, but a display value. */
const columnValues = `column_values { id type text value
  ... on MirrorValue { display_value } ... on BoardRelationValue { display_value } ... on DependencyValue { display_value } }`;
const item = `id name state url created_at updated_at group { id title } board { id name } ${columnValues}`;

export const itemsQuery = `query ($ids: [ID!], $limit: Int!) { items(ids: $ids, limit: $limit) { ${item} } }`;
export const boardQuery = `query ($boardId: ID!, $limit: Int!, $queryParams: ItemsQuery) {
  boards(ids: [$boardId]) { items_page(limit: $limit, query_params: $queryParams) { cursor items { ${item} } } } }`;
export const nextPageQuery = `query ($cursor: String!, $limit: Int!) {
  next_items_page(cursor: $cursor, limit: $limit) { cursor items { ${item} } } }`;

export const createItem = `mutation ($boardId: ID!, $groupId: String, $name: String!, $columnValues: JSON, $createLabels: Boolean) {
  create_item(board_id: $boardId, group_id: $groupId, item_name: $name, column_values: $columnValues,
    create_labels_if_missing: $createLabels) { id url } }`;
export const updateItem = `mutation ($boardId: ID!, $itemId: ID!, $columnValues: JSON!, $createLabels: Boolean) {
  change_multiple_column_values(board_id: $boardId, item_id: $itemId, column_values: $columnValues,
    create_labels_if_missing: $createLabels) { id url } }`;
export const deleteItem = 'mutation ($itemId: ID!) { delete_item(item_id: $itemId) { id } }';
export const createUpdate =
  'mutation ($itemId: ID!, $body: String!) { create_update(item_id: $itemId, body: $body) { id } }';
