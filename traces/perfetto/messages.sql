-- Who sends to whom? Messages by pair of places, with the cycles from the send to the arrival.
SELECT
  sender.name AS from_place,
  receiver.name AS to_place,
  COUNT(*) AS messages,
  MIN(arrival.ts - sent.ts) AS fastest,
  ROUND(AVG(arrival.ts - sent.ts), 1) AS mean_cycles,
  MAX(arrival.ts - sent.ts) AS slowest
FROM flow
JOIN slice AS sent ON sent.id = flow.slice_out
JOIN slice AS arrival ON arrival.id = flow.slice_in
JOIN thread_track AS sent_track ON sent_track.id = sent.track_id
JOIN thread AS sent_thread ON sent_thread.utid = sent_track.utid
JOIN process AS sender ON sender.upid = sent_thread.upid
JOIN thread_track AS arrival_track ON arrival_track.id = arrival.track_id
JOIN thread AS arrival_thread ON arrival_thread.utid = arrival_track.utid
JOIN process AS receiver ON receiver.upid = arrival_thread.upid
GROUP BY sender.name, receiver.name
ORDER BY messages DESC, from_place, to_place;
