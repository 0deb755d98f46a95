import { basePath } from '../api/tenant.ts';

/**
 * Where people get help. Each is a page of the documentation that this server brings along, so that it can be read
 * without the internet; the page names the places outside.
 */
export const links = {
  get chat() {
    return `${basePath()}/docs/manage/community`;
  },
  get issues() {
    return `${basePath()}/docs/manage/report-a-problem`;
  },
  get demo() {
    return `${basePath()}/docs/get-started/tutorial`;
  },
};
