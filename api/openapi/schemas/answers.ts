export { Agent, CredentialsReceived, Enrolled, RotatedToken } from "./agent.ts";
export { Asset, AssetList, Column, MinimalAsset, Outline, Upload, WrittenAsset } from "./asset.ts";
export { CheckResult } from "./check.ts";
export {
  AppendedCreation,
  Confirmed,
  Creation,
  CreationAsRead,
  CreationList,
  MinimalCreation,
  Preview,
  PublishedCreation,
  Revision,
  RevisionList,
  SavedCreation,
  WrittenCreation,
} from "./creation.ts";
export { DocsList, DocsPage, OpenApiDocument } from "./docs.ts";
export {
  EventList,
  MinimalWatchedQuestion,
  WatchedQuestion,
  WatchedQuestionList,
  WatchList,
  WrittenWatchedQuestion,
} from "./events.ts";
export { JsonFeed } from "./feed.ts";
export { FileDiff } from "./file-diff.ts";
export { AgentKeys, JsonWebKeySet } from "./keys.ts";
// The document has called a timestamp Moment since its first version, and clients may have types of that name.
export { Cell, Failure, Timestamp as Moment, Ulid } from "./members.ts";
export { Croissant, DataPackage, Linkset } from "./metadata.ts";
export { OEmbed } from "./oembed.ts";
export { MinimalProfile, Profile, ProfileAsRead, WrittenProfile } from "./profile.ts";
export { ChartBlock, PublicCreation, PublicRevision, PublicRevisionList } from "./public-creation.ts";
export { PublicProfile } from "./public-profile.ts";
export { MostRead, ReadsByDay } from "./reads.ts";
export { RevisionDiff } from "./revision-diff.ts";
export { Rows, Stats } from "./rows.ts";
export { AgentSearchResults, CreationSearchResults, TopicList } from "./search.ts";
export { QueryResult } from "./table-questions.ts";
